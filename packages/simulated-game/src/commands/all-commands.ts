import { type CommandName, commands } from '@steward/shared/bridge/commands';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import type { Farm } from '../farm/farm.ts';
import { applySettings, linkLobby, save, sendChat, setRenderRate, setTime, stop } from './farm-commands.ts';
import { clearStamp, deleteFarmhand, grantAdmin } from './farmhand-commands.ts';
import type { GameCommand, ParamsOf } from './game-command.ts';

const all: { readonly [Name in CommandName]: GameCommand<Name> } = {
  setRenderRate,
  setTime,
  grantAdmin,
  deleteFarmhand,
  clearStamp,
  sendChat,
  applySettings,
  linkLobby,
  save,
  stop,
};

/** A command with its params, ready to be asked for a refusal and to be applied. */
export interface BoundCommand {
  readonly name: CommandName;
  readonly refusal: (farm: Farm) => ReturnType<GameCommand<CommandName>['refusal']>;
  readonly apply: (farm: Farm, done: Parameters<GameCommand<CommandName>['apply']>[2]) => void;
}

/** Binds a command to what came over the wire; the reason of a refusal says what is wrong with it. */
export function bindCommand<Name extends CommandName>(name: Name, params: unknown): Parsed<BoundCommand> {
  const read = commands[name].params.safeParse(params);
  if (!read.success) return refused(`${name}: ${firstIssue(read.error)}`);
  const command: GameCommand<Name> = all[name];
  // The schema of a command's name is the schema of its params; the compiler cannot follow the index so far.
  const bound = read.data as ParamsOf<Name>;
  return accepted({
    name,
    refusal: (farm) => command.refusal(farm, bound),
    apply: (farm, done) => command.apply(farm, bound, done),
  });
}
