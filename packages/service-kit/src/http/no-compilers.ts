/**
 * Where the framework would make compilers for JSON schemas. Given something, it does not load its own, which are a
 * good part of a start; a server that has this sets its own before anything can ask.
 */
export const noCompilers = {
  compilersFactory: { buildValidator: neverCalled, buildSerializer: neverCalled },
};

function neverCalled(): never {
  throw new Error('the server has its compilers set');
}
