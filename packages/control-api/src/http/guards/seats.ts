import { Problem } from '@steward/shared/problems/problem';
import type { ProblemCode } from '@steward/shared/problems/problem-codes';
import { type Door, fullSeconds, type SeatLimit, type Seats } from '../../events/seats.ts';

const problems: Readonly<Record<SeatLimit, readonly [code: ProblemCode, detail: string]>> = {
  connections: ['too-many-connections', 'As many listen to this server as may at once'],
  'connections-per-address': [
    'too-many-requests',
    'Too many listen from this address: close some of the connections',
  ],
};

/** What whoever finds no room is told. */
export function noSeat(limit: SeatLimit): Problem {
  return new Problem(...problems[limit], { retry: true }, { 'retry-after': String(fullSeconds) });
}

/** Takes a seat for who listens from this address; returns what gives it back. */
export function takeSeat(seats: Seats, door: Door, address: string): () => void {
  const seat = seats.take(door, address);
  if (typeof seat === 'string') throw noSeat(seat);
  return seat;
}
