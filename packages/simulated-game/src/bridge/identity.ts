/** How the farm names itself to whoever connects it. */
export const simulatorName = 'Steward simulated farm';
export const simulatorVersion = '0.1.0';

/** The version of the game that is simulated. */
export const gameVersion = '1.6.15';
