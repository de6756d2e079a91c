import type { CommandName } from '@steward/shared/bridge/commands';
import { type JournalEntry, journalResult } from '@steward/shared/bridge/outcome';
import { NotChecked, RuleBroken } from '../driver/patience.ts';
import { checkChange, type Session } from '../driver/session.ts';
import { before, type Stand } from '../driver/stand.ts';
import type { Rule } from './rule.ts';

/** A command that the journal is asked about. */
interface Given {
  readonly command: string;
  readonly name: CommandName;
}

export async function entries(session: Session, given: readonly Given[]): Promise<readonly JournalEntry[]> {
  const commands = given.map(({ command }) => command);
  const id = session.send('journal', { commands });
  const { result } = await session.answer(id, 'journal', session.patience.limits.journal);
  const parsed = journalResult.safeParse(result);
  if (!parsed.success) throw new RuleBroken(`journal was answered with ${JSON.stringify(result)}`);
  for (const entry of parsed.data.entries) {
    const name = given.find(({ command }) => command === entry.command)?.name;
    if (entry.state === 'applied' && name !== undefined)
      checkChange(name, entry.outcome, `${name} in the journal`);
  }
  return parsed.data.entries;
}

async function applied(stand: Stand, session: Session): Promise<Given> {
  const command = stand.commandId();
  const probe = stand.probe(session);
  before(probe, await session.outcome(session.send(probe.name, { command, ...probe.params }), probe.name));
  return { command, name: probe.name };
}

export const journal: readonly Rule[] = [
  {
    id: 'journal',
    says: 'The journal answers for each command, in order: applied, or absent',
    section: 'The journal',
    remedy: 'Write id and outcome down in the same step that applies the command.',
    async check(stand) {
      const session = await stand.farm();
      const known = await applied(stand, session);
      const told = await entries(session, [{ ...known, command: '1' }, known]);
      const brief = told.map(({ command, state }) => `${command} ${state}`).join(', ');
      if (brief !== `1 absent, ${known.command} applied`)
        throw new RuleBroken(`asked about 1 (never sent) and ${known.command} (applied), it told: ${brief}`);
      if (stand.bench.mode === 'spawn') return;
      await stand.drop();
      const [entry] = await entries(await stand.farm(), [known]);
      if (entry?.state !== 'applied')
        throw new RuleBroken(`after a reconnect, ${known.command} is ${entry?.state}`);
    },
  },
  {
    id: 'absent-is-kept',
    says: 'A command that the journal calls absent is not applied afterwards, even if its claim is granted',
    section: 'The journal',
    remedy: 'When you answer `absent` for a command that waits for its claim, forget that command.',
    async check(stand) {
      const session = await stand.farm();
      session.answerClaim = () => 'silence';
      const probe = stand.probe(session);
      const command = stand.commandId();
      const id = session.send(probe.name, { command, ...probe.params });
      await session.claimed(id, command, probe.name);
      const [entry] = await entries(session, [{ command, name: probe.name }]);
      if (entry?.state !== 'absent')
        throw new RuleBroken(
          `a command whose claim is not answered is ${entry?.state} in the journal, not absent`,
        );
      session.grant(command);
      if ((await stand.valueBefore(session)) === probe.value)
        throw new RuleBroken(`${probe.name} was applied after the journal had called it absent`);
    },
  },
  {
    id: 'journal-follows-save',
    only: 'spawn',
    says: 'After a crash the journal goes back exactly as far as the farm',
    section: 'The journal',
    remedy:
      'Write the journal into the save itself, the command that saves included, and read it from there.',
    async check(stand) {
      const session = await stand.farm();
      if (!session.can('save')) throw new NotChecked('needs the capability save');
      const saved = await applied(stand, session);
      const saving = { command: stand.commandId(), name: 'save' } as const;
      const save = await session.outcome(session.send('save', { command: saving.command }), 'save');
      if (save.outcome !== 'applied') throw new NotChecked(`save ended ${save.outcome}`);
      const generation = save.after['saveGeneration'];
      const unsaved = await applied(stand, session);
      await stand.drop(true);
      const back = await stand.farm();
      const wentBackTo = back.farm?.saveGeneration;
      const [first, itself, second] = await entries(back, [saved, saving, unsaved]);
      if (first?.state !== 'applied')
        throw new RuleBroken(
          `after kill -9, a command that had been saved is ${first?.state} in the journal`,
        );
      if (itself?.state !== 'applied')
        throw new RuleBroken(
          `after kill -9, the save command that wrote the save is ${itself?.state} in its journal`,
        );
      if (wentBackTo === generation && second?.state !== 'absent')
        throw new RuleBroken(
          `after kill -9, a command that had not been saved is ${second?.state} in the journal`,
        );
    },
  },
];
