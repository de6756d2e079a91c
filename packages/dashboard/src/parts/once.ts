/**
 * Made when it is first used, and kept: what the browser writes dates by takes it longer to make than all else that is done as the
 * page begins.
 */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
