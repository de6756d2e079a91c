interface System {
  readonly React: { createElement(component: unknown, props: object): unknown };
  readonly specActions: { updateJsonSpec(document: unknown): unknown };
}

interface Context {
  readonly source?: string;
}

/**
 * Goes to the browser as its own source, so that it refers to nothing outside itself. The page would read the document as JavaScript
 * does and show examples of ids that are nobody's. Here a large integer becomes a text, which the page hands on as it is, and
 * an integer again where it is shown.
 */
export function exactDocument() {
  const mark = '\u0001';
  const marked = /"\\u0001(-?\d+)\\u0001"/g;
  const digits = /^-?\d+$/;
  const asText = (_key: string, value: unknown, { source = '' }: Context = {}): unknown => {
    const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && digits.test(source);
    return isRounded ? mark + source + mark : value;
  };
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown);
    return typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(1, -1)) : value;
  };
  const written = (text: unknown): unknown => (typeof text === 'string' ? text.replace(marked, '$1') : text);
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          parseToJson: (original: (text: string) => unknown, system: System) => (text: string) => {
            let document: unknown;
            try {
              document = JSON.parse(text, asText);
            } catch {
              // No JSON, such as a proxy's login: the page says so.
              return original(text);
            }
            return system.specActions.updateJsonSpec(document);
          },
        },
      },
    },
    wrapComponents: {
      HighlightCode: (original: unknown, system: System) => (props: { readonly children?: unknown }) =>
        system.React.createElement(original, { ...props, children: written(props.children) }),
      JSONSchema202012JSONViewer:
        (original: unknown, system: System) => (props: { readonly value?: unknown }) =>
          system.React.createElement(original, { ...props, value: shown(props.value) }),
    },
  };
}
