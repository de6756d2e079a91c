import { useSignal } from '@preact/signals';
import { farm, ownOrigin } from '../../farm/farms.ts';
import { CopyButton } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Box } from '../../parts/field.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { phoneWords as says } from '../../words.ts';
import '../../styles/on-phone.css';

const ofThisMachine = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** Brings the page's address to another device, and the key only where somebody says so. */
export function OnPhone() {
  const withKey = useSignal(false);
  // The page is opened for the farm that it is served by.
  const key = farm.value.origin === ownOrigin ? farm.value.key : undefined;
  const given = withKey.value ? key : undefined;
  const address = addressOf(ownOrigin, given);
  return (
    <Card title={says.phone} icon="page" class="on-phone">
      <div class="on-phone-inside">
        <QrCode text={address} label={given === undefined ? says.qr(address) : says.qrWithKey} />
        <div>
          <p>{ofThisMachine.test(location.hostname) ? says.phoneLocal : says.phoneText}</p>
          {key !== undefined && (
            <Box
              label={says.withKey}
              hint={says.withKeyHint}
              isOn={withKey.value}
              onChange={(isOn) => {
                withKey.value = isOn;
              }}
            />
          )}
          <p>
            <code>{addressOf(ownOrigin)}</code>
          </p>
          <CopyButton text={addressOf(ownOrigin)} of={says.address} />
        </div>
      </div>
    </Card>
  );
}

/** The address of this page, and of nobody's key but the one that is given. */
function addressOf(origin: string, key?: string): string {
  return key === undefined ? `${origin}/` : `${origin}/#key=${encodeURIComponent(key)}`;
}
