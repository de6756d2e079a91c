/** By this pnpm says that the registry gave no answer that it could read. */
const unanswered = 'ERR_PNPM_AUDIT_BAD_RESPONSE';

/**
 * What an audit came to: `clean`, `vulnerable` with a line for each advisory, `unanswered` where the registry could not be asked, or
 * `failed` where the audit itself did.
 */
export function verdictOf({ stdout, stderr }) {
  const advisories = advisoriesIn(stdout);
  if (advisories === undefined)
    return { kind: stderr.includes(unanswered) ? 'unanswered' : 'failed', lines: [stderr.trim()] };
  if (advisories.length === 0) return { kind: 'clean', lines: [] };
  return { kind: 'vulnerable', lines: advisories.map(lineOf) };
}

/** Undefined for what is no report: nobody may take that for one without advisories. */
function advisoriesIn(stdout) {
  try {
    const { advisories } = JSON.parse(stdout);
    return typeof advisories === 'object' && advisories !== null ? Object.values(advisories) : undefined;
  } catch {
    return undefined;
  }
}

function lineOf({ module_name: name, severity, title, url, vulnerable_versions: versions, findings = [] }) {
  const here = findings.map(({ version }) => version).join(', ');
  const by = findings.flatMap(({ paths = [] }) => paths).slice(0, 3);
  return `${name} ${here} (${severity}): ${title}\n  is vulnerable in ${versions}, and here by ${by.join(', ')}\n  ${url}`;
}
