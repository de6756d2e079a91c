/** What goes wrong with the gateway, as a test has it; whoever serves looks here. */
export interface GatewayFaults {
  /** What befalls whoever connects: reset before a word, or answered with a status. */
  connections: 'accepted' | 'reset' | 502 | 503;
  /** So many more are refused, in the way above; the next is accepted. */
  refusals: number;
  /** Beats are taken and never answered. */
  withholdAcks: boolean;
  /** Connected, and never greeted. */
  withholdHello: boolean;
  /** Who wants to go on with a session is found, and hears no more than that its beats arrive. */
  withholdResumed: boolean;
}
