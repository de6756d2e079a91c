/** Of packages that come without the text of their licence, whom its notice names: as their manifests, their pages and their repositories say it. */
const notices: Readonly<Record<string, readonly [licence: keyof typeof texts, copyright: string][]>> = {
  '@doctormckay/stdlib': [['MIT', 'Copyright (c) Alex Corn <mckay@doctormckay.com>']],
  '@napi-rs/lzma': [['MIT', 'Copyright (c) the authors of https://github.com/Brooooooklyn/lzma']],
  '@sapphire/async-queue': [['MIT', 'Copyright © 2020 The Sapphire Community and its contributors']],
  '@sapphire/snowflake': [['MIT', 'Copyright © 2020 The Sapphire Community and its contributors']],
  'abstract-logging': [['MIT', 'Copyright (c) James Sumners <james.sumners@gmail.com>']],
  'agent-base': [['MIT', 'Copyright (c) 2013 Nathan Rajlich <nathan@tootallnate.net>']],
  cuint: [['MIT', 'Copyright (C) 2013, Pierre Curto']],
  'file-manager': [['MIT', 'Copyright (c) Alex Corn <mckay@doctormckay.com>']],
  saxes: [
    ['ISC', 'Copyright (c) Contributors'],
    ['ISC', 'Of sax, from which saxes was forked:\nCopyright (c) Isaac Z. Schlueter and Contributors'],
    ['MIT', 'Of `String.fromCodePoint`:\nCopyright Mathias Bynens <https://mathiasbynens.be/>'],
  ],
  'socks-proxy-agent': [['MIT', 'Copyright (c) 2013 Nathan Rajlich <nathan@tootallnate.net>']],
  standardwebhooks: [['MIT', 'Copyright (c) 2023 Svix (https://www.svix.com)']],
};

const texts = {
  ISC: `Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR
ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR
IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.`,
} as const;

/** The binaries of a package for one machine are packages of their own, called after it. */
const ofOneMachine = /-(?:android|darwin|freebsd|linux|win32)-[\w-]+$/;

/** The text of a licence that a package leaves out; undefined where nobody has looked yet whom its notice names. */
export function textLeftOut(name: string): string | undefined {
  return notices[name.replace(ofOneMachine, '')]
    ?.map(([licence, copyright]) => `${copyright}\n\n${texts[licence]}`)
    .join('\n\n');
}
