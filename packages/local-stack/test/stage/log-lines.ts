/** Whether a service's line tells of a request; every other one tells that something has changed. */
export function isOfRequest(line: string): boolean {
  return line.includes('"requestId"');
}
