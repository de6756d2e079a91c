import { KeyForm } from './key-form.tsx';
import { NavigationSheet } from './navigation-sheet.tsx';
import { Notices } from './notices.tsx';
import { isCopiedOldWay } from './parts/old-clipboard.ts';
import { NotAllowed, NotHere, Trouble } from './parts/trouble.tsx';
import { Closing } from './views/home/closing.tsx';
import { ForEverybody } from './views/home/for-everybody.tsx';
import { Horizon } from './views/home/horizon.tsx';
import { LastEvents } from './views/home/last-events.tsx';
import { OnPhone } from './views/home/on-phone.tsx';
import { Troubles } from './views/home/troubles.tsx';
import { Way } from './views/home/way.tsx';

/** What no first view waits for; it comes together with whichever of it is wanted first. */
export const soon = {
  Closing,
  ForEverybody,
  Horizon,
  isCopiedOldWay,
  KeyForm,
  LastEvents,
  NavigationSheet,
  NotAllowed,
  NotHere,
  Notices,
  OnPhone,
  Trouble,
  Troubles,
  Way,
};
