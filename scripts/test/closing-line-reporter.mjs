/** What went wrong before the tests, such as types: names with commas between them. */
const failedBefore = (process.env['FAILED_CHECKS'] ?? '').split(',').filter(Boolean);

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
    this.line = `${counts.passed} passed, ${counts.failed + counts.pending} failed${skipped}`;
  }

  onFinishedReportCoverage() {}

  onInit() {
    process.once('exit', () => {
      for (const check of failedBefore) console.error(`steward: ${check}: not in order, see above`);
      if (this.line) console.log(this.line);
    });
  }
}
