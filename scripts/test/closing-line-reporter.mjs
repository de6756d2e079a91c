/** What went wrong before the tests, such as types: names with commas between them. */
const failedBefore = (process.env['FAILED_CHECKS'] ?? '').split(',').filter(Boolean);

/** So many of the files that took longest are named. */
const named = 10;

/** Ends the run with one line that says how many tests ran and failed, checks before them included, for whoever reads only the end of a log. */
export default class ClosingLineReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = {
      passed: 0,
      failed: unhandledErrors.length + failedBefore.length,
      skipped: 0,
      pending: 0,
    };
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    this.longest = longestOf(modules);
    this.line = `${counts.passed} passed, ${counts.failed + counts.pending} failed${skipped}`;
  }

  onFinishedReportCoverage() {}

  onInit() {
    process.once('exit', () => {
      for (const check of failedBefore) console.error(`steward: ${check}: failed, see above`);
      if (this.longest) console.log(this.longest);
      if (this.line) console.log(this.line);
    });
  }
}

/** What to look at when the whole takes longer than it did. */
function longestOf(modules) {
  const files = modules
    .map((module) => ({ name: module.relativeModuleId, seconds: module.diagnostic().duration / 1_000 }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, named)
    .map(({ name, seconds }) => `${name} ${seconds.toFixed(1)} s`);
  return `took ${process.uptime().toFixed(0)} s; longest: ${files.join(', ')}`;
}
