import { correction, generate } from 'lean-qr/nano';
import { useMemo } from 'preact/hooks';

/** As much light around it as cameras need. */
const border = 2;

/** Drawn dark on light in either scheme: cameras read no other. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { across, path } = useMemo(() => {
    const code = generate(text, { minCorrectionLevel: correction.M });
    let dots = '';
    for (let y = 0; y < code.size; y += 1)
      for (let x = 0; x < code.size; x += 1)
        if (code.get(x, y)) dots += `M${x + border} ${y + border}h1v1h-1z`;
    return { across: code.size + 2 * border, path: dots };
  }, [text]);
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${across} ${across}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
