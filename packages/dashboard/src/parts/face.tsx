const hues = 5;

/** Beside a name: the same for one person everywhere. */
export function Face({ id, name }: { id: string; name: string }) {
  return (
    <span class="face" aria-hidden="true" data-hue={hueOf(id)}>
      {[...name][0] ?? '?'}
    </span>
  );
}

function hueOf(id: string): number {
  return Number(BigInt.asUintN(64, BigInt(id)) % BigInt(hues));
}
