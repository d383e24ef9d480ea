/** The words of a command as a shell reads them: quotes, lines that go on after a backslash, variables. */
export function shellWords(command: string, variables: Readonly<Record<string, string>>): string[] {
  const token = /\s+|\\\n|'([^']*)'|"([^"]*)"|([^\s'"\\]+)/gy;
  const words: string[] = [];
  let word: string | null = null;
  const end = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  for (const [all, single, double, plain] of command.matchAll(token)) {
    if (single !== undefined) word = (word ?? '') + single;
    else if (double !== undefined || plain !== undefined)
      word = (word ?? '') + filled(double ?? plain ?? '', variables);
    else if (all.trim() === '' || all === '\\\n') end();
  }
  end();
  return words;
}

const filled = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$(\w+)/g, (_all, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`the example uses $${name}, which nobody sets`);
    return value;
  });
