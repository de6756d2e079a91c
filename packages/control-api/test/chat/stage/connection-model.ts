/** What a test can do to a connection. */
export const steps = [
  'right auth',
  'wrong auth',
  'auth without token',
  'ping',
  'chat with id',
  'chat without id',
  'empty chat with id',
  'resume',
  'resume from nowhere',
  'subscribe',
  'subscribe from here',
  'subscribe to nothing known',
  'unsubscribe',
  'a day begins',
  'no JSON',
  'binary',
  'unknown type',
  'somebody speaks',
  'somebody whispers',
  'nine seconds',
] as const;

export type Step = (typeof steps)[number];

/** The states of the spec's table and what each answers, in the fewest words. */
export class ConnectionModel {
  state: 'unauthenticated' | 'authenticated' | 'closed';
  readonly expected: string[] = [];
  readonly #hasKey: boolean;
  #seconds = 0;
  #resumed = false;
  #hearsDays = false;

  constructor(hasKey: boolean) {
    this.#hasKey = hasKey;
    this.state = hasKey ? 'unauthenticated' : 'authenticated';
  }

  take(step: Step): void {
    if (this.state === 'unauthenticated') this.#before(step);
    else if (this.state === 'authenticated') this.#after(step);
  }

  #before(step: Step): void {
    if (step === 'nine seconds') {
      this.#seconds += 9;
      if (this.#seconds < 10) return;
    } else if (step.startsWith('somebody') || step === 'a day begins') return;
    else if (step === 'right auth') {
      this.state = 'authenticated';
      this.expected.push('auth_success');
      return;
    }
    this.state = 'closed';
    this.expected.push('auth_failed');
  }

  #after(step: Step): void {
    switch (step) {
      case 'right auth':
        this.expected.push('auth_success');
        return;
      case 'wrong auth':
        this.expected.push(this.#hasKey ? 'auth_failed' : 'auth_success');
        if (this.#hasKey) this.state = 'closed';
        return;
      case 'auth without token':
        this.expected.push(this.#hasKey ? 'error malformed-message' : 'auth_success');
        return;
      case 'ping':
        this.expected.push('pong');
        return;
      case 'chat with id':
        this.expected.push('chat_sent delivered');
        return;
      case 'empty chat with id':
        this.expected.push('chat_sent refused');
        return;
      case 'resume':
        this.expected.push(this.#resumed ? 'error already-resumed' : 'resumed');
        this.#resumed = true;
        return;
      case 'resume from nowhere':
        this.expected.push(this.#resumed ? 'error already-resumed' : 'error malformed-cursor');
        return;
      case 'subscribe':
        this.expected.push('subscribed');
        this.#hearsDays = true;
        return;
      case 'subscribe from here':
        this.expected.push(this.#resumed ? 'error already-resumed' : 'subscribed');
        this.#hearsDays ||= !this.#resumed;
        this.#resumed = true;
        return;
      case 'subscribe to nothing known':
        this.expected.push('error unknown-topic');
        return;
      case 'unsubscribe':
        this.expected.push('unsubscribed');
        this.#hearsDays = false;
        return;
      case 'a day begins':
        if (this.#hearsDays) this.expected.push('event');
        return;
      case 'no JSON':
      case 'binary':
        this.expected.push('error malformed-message');
        return;
      case 'unknown type':
        this.expected.push('error unknown-type');
        return;
      case 'somebody speaks':
        this.expected.push('chat');
        return;
      case 'chat without id':
      case 'somebody whispers':
      case 'nine seconds':
    }
  }
}
