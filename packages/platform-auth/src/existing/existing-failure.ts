/** A failure as the existing server's mod reads it: a status that tells it whether to ask again, and a text. */
export class ExistingFailure extends Error {
  readonly status: 400 | 403 | 500 | 503;

  constructor(status: ExistingFailure['status'], text: string) {
    super(text);
    this.name = 'ExistingFailure';
    this.status = status;
  }
}
