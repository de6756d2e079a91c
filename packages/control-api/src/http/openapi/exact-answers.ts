interface Props {
  readonly content?: unknown;
  readonly contentType?: string;
}

interface System {
  readonly React: { createElement(component: unknown, props: object): unknown };
}

/**
 * Goes to the browser as its own source, so that it refers to nothing outside itself. The page would read an answer as JavaScript
 * does and show ids that are nobody's; this lays the answer out without reading its numbers.
 */
export function exactAnswers() {
  const largeInteger = /("(?:\\.|[^"\\])*")|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
  const mark = '\u0001';
  const marked = /"\\u0001(-?\d+)\\u0001"/g;
  function laidOut(text: string): string {
    const asTexts = text.replace(
      largeInteger,
      (found, quoted) => quoted ?? JSON.stringify(mark + found + mark),
    );
    return JSON.stringify(JSON.parse(asTexts), null, 2).replace(marked, '$1');
  }
  function exact(props: Props): Props {
    const { content, contentType = '' } = props;
    if (typeof content !== 'string' || !/json/i.test(contentType)) return props;
    try {
      return { ...props, content: laidOut(content), contentType: 'text/plain' };
    } catch {
      // No JSON after all: the page says so.
      return props;
    }
  }
  return {
    wrapComponents: {
      responseBody: (original: unknown, system: System) => (props: Props) =>
        system.React.createElement(original, exact(props)),
    },
  };
}
