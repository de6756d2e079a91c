import { useSignal } from '@preact/signals';
import { type Backup, type FarmOperations, StewardError } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { Button } from '../../parts/button.tsx';
import { outcomeOf } from '../../parts/deed.ts';
import { toast } from '../../parts/toasts.tsx';
import { backupWords as says } from '../../words.ts';

/** While it comes the same button says how much is here, and ends it. */
export function DownloadButton({ backup, label }: { backup: Backup; label: string }) {
  const { client } = farm.value;
  const part = useSignal<number | undefined>(undefined);
  const ending = useSignal<AbortController | undefined>(undefined);
  const begin = async () => {
    const end = new AbortController();
    ending.value = end;
    part.value = 0;
    try {
      await download(client, backup, end.signal, (done) => {
        part.value = done;
      });
    } catch (error) {
      // What is read of a stream fails in the words of the browser.
      if (!end.signal.aborted)
        toast(outcomeOf(error instanceof StewardError ? error : new StewardError('network', says.cutOff)));
    }
    part.value = undefined;
  };
  const isComing = part.value !== undefined;
  return (
    <Button
      icon={isComing ? 'close' : 'down'}
      aria-label={isComing ? says.stopDownload : label}
      // The second press of a double click means what stood here at the first.
      onClick={({ detail }) => detail < 2 && (isComing ? ending.value?.abort() : begin())}
    >
      {isComing ? says.part(part.value ?? 0) : says.download}
    </Button>
  );
}

/** The browser has begun to write it by then. */
const writtenMs = 60_000;

/** Fetches a backup with the key, which no link could bring along, and has the browser keep it as a download. */
async function download(
  farm: FarmOperations,
  { id, bytes }: Backup,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<void> {
  const stream = await farm.getBackupFile({ id }, { signal });
  let done = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      done += chunk.byteLength;
      onPart(Math.min(1, done / bytes));
      controller.enqueue(chunk);
    },
  });
  const blob = await new Response(stream.pipeThrough(counted, { signal })).blob();
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = `${id}.steward.tar.zst`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), writtenMs);
}
