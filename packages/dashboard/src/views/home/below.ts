import { Closing } from './closing.tsx';
import { ForEverybody } from './for-everybody.tsx';
import { Horizon } from './horizon.tsx';
import { LastEvents } from './last-events.tsx';
import { OnPhone } from './on-phone.tsx';
import { Troubles } from './troubles.tsx';
import { Way } from './way.tsx';

/** What stands below the first sight of the farm, or is not always there. */
export const below = { Closing, ForEverybody, Horizon, LastEvents, OnPhone, Troubles, Way };
