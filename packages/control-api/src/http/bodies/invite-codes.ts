import type { AnswerOf } from '@steward/shared/api/answers';
import { isConnected } from '../../game/state/link-state.ts';
import type { FarmView } from '../../status/farm-view.ts';
import { whatCodesLack } from '../../status/obstacles.ts';

export function inviteCodeOf(view: FarmView): AnswerOf<'getInviteCode'> {
  const { platform, network } = view.way.codes;
  const code = platform ?? network;
  return code === undefined ? { error: whyNone(view) } : { inviteCode: code };
}

function whyNone({ state, way }: FarmView): string {
  const { link, sections, isWhole } = state;
  if (!isConnected(link.status)) return `There is no invite code: ${link.why}`;
  if (!isWhole) return 'There is no invite code: the game has not told its whole state yet';
  if (sections.status?.isOnline !== true) return 'There is no invite code: no farm is hosted';
  const { reason, remedy } = whatCodesLack({ state, way }) ?? { reason: 'it is about to come' };
  return `There is no invite code: ${reason}${remedy === undefined ? '' : `. ${remedy}`}`;
}
