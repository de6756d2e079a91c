/** The remedies where there is nothing that anybody has to do. */
export const passes = 'Nothing to do: it passes by itself';
export const triesAgain = 'Nothing to do: it is tried again by itself';
