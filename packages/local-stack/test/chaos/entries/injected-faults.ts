import { Invites } from '@steward/control-api/invites/invites';
import { JoinGate } from '@steward/control-api/ownership/join-gate';
import { OwnershipFile } from '@steward/control-api/ownership/ownership-file';

/** What the service would be like if it were wrong in one thing: whoever watches it has to notice. */
const faults: Readonly<Record<string, () => void>> = {
  /** Whoever asks gets the farmhand that they ask for. */
  'wrong decision': () => {
    const { mayJoin } = JoinGate.prototype;
    JoinGate.prototype.mayJoin = async function (question) {
      const result = await mayJoin.call(this, question);
      return result.decision === 'refuse' ? { decision: 'allow', reason: 'injected' } : result;
    };
  },
  /** The oldest claim is not written down. */
  'lost record': () => {
    const { write } = OwnershipFile.prototype;
    OwnershipFile.prototype.write = function (farmId, map) {
      const [, ...farmhands] = Object.entries(map.farmhands);
      return write.call(this, farmId, { ...map, farmhands: Object.fromEntries(farmhands) });
    };
  },
  /** A code that was shown once is shown for ever. */
  'dead code': () => {
    const own = Object.getOwnPropertyDescriptor(Invites.prototype, 'status')?.get;
    let shown = {};
    Object.defineProperty(Invites.prototype, 'status', {
      get(this: Invites) {
        const status: Invites['status'] = own?.call(this);
        shown = { ...status.codes, ...shown };
        return { ...status, codes: shown };
      },
    });
  },
};

export const injectable = Object.keys(faults);

export function inject(name: string | undefined): void {
  if (name === undefined || name === '') return;
  const fault = faults[name];
  if (fault === undefined) throw new Error(`INJECT is "${name}"; it is one of ${injectable.join(', ')}`);
  fault();
}
