export const cabinStrategies = ['CabinStack', 'FarmhouseStack', 'None'] as const;

/**
 * CabinStack and FarmhouseStack keep every cabin out of sight and show each owner their own; None puts cabins on the
 * map, and there are only so many spots.
 */
export type CabinStrategy = (typeof cabinStrategies)[number];
