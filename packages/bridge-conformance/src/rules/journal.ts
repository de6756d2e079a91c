import { type JournalEntry, journalResult } from '@steward/shared/bridge/outcome';
import { NotChecked, RuleBroken } from '../driver/patience.ts';
import type { Session } from '../driver/session.ts';
import { before, type Stand } from '../driver/stand.ts';
import type { Rule } from './rule.ts';

export async function entries(
  session: Session,
  commands: readonly string[],
): Promise<readonly JournalEntry[]> {
  const { result } = await session.answer(session.send('journal', { commands }), 'journal');
  const parsed = journalResult.safeParse(result);
  if (!parsed.success) throw new RuleBroken(`journal was answered with ${JSON.stringify(result)}`);
  return parsed.data.entries;
}

async function applied(stand: Stand, session: Session): Promise<string> {
  const command = stand.commandId();
  const probe = stand.probe(session);
  before(probe, await session.outcome(session.send(probe.name, { command, ...probe.params }), probe.name));
  return command;
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
      const told = await entries(session, ['1', known]);
      const brief = told.map(({ command, state }) => `${command} ${state}`).join(', ');
      if (brief !== `1 absent, ${known} applied`)
        throw new RuleBroken(`asked about 1 (never sent) and ${known} (applied), it told: ${brief}`);
      if (stand.bench.mode === 'spawn') return;
      await stand.drop();
      const [entry] = await entries(await stand.farm(), [known]);
      if (entry?.state !== 'applied') throw new RuleBroken(`after a reconnect, ${known} is ${entry?.state}`);
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
      session.send(probe.name, { command, ...probe.params });
      await session.until(() => session.claims.includes(command), 'no claim came');
      const [entry] = await entries(session, [command]);
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
      const saving = stand.commandId();
      const save = await session.outcome(session.send('save', { command: saving }), 'save');
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
