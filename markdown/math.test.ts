import { describe, expect, test } from 'vitest'
import { createMarkdown } from './markdown.ts'

const markdown = createMarkdown({ math: true })

/** Formulas in the text, display formulas in double brackets. */
function formulas(text: string): string[] {
  return markdown
    .parse(text, {})
    .flatMap((token) => [token, ...(token.children ?? [])])
    .filter(({ type }) => type.startsWith('math_'))
    .map(({ type, markup, content }) =>
      type === 'math_block' || markup === '$$' ? `[[${content}]]` : content,
    )
}

describe('a formula', () => {
  test.each([
    ['Euler: $e^{i\\pi} + 1 = 0$.', ['e^{i\\pi} + 1 = 0']],
    ['$x$, $y$ and ($z$)', ['x', 'y', 'z']],
    ['\\(a_1 * b_1\\) and \\[a * b\\] inside', ['a_1 * b_1', '[[a * b]]']],
    ['$$\n\\sum_{i=1}^n i\n$$', ['[[\\sum_{i=1}^n i]]']],
    ['Text before\n$$x^2$$\ntext after', ['[[x^2]]']],
    ['\\[\nx = 1\n\\]', ['[[x = 1]]']],
    ['- item\n  $$\n  x\n  $$', ['[[x]]']],
    ['> $$\n> x\n> $$', ['[[x]]']],
    ['| a |\n| - |\n| $x_1$ |', ['x_1']],
    ['$2x + 3$ and $5$', ['2x + 3', '5']],
    ['$\\$5 + x$', ['\\$5 + x']],
  ])('is found in %j', (text, expected) => {
    expect(formulas(text)).toEqual(expected)
  })

  test.each([
    'It costs $5 and $10.',
    'Between $5-$10, or US$5.',
    '$1,200 in May, $1,400 in June',
    '$5, or 10$ each',
    '$5/month and 10$ per year',
    'echo $HOME/$USER and $PATH',
    'Set $A to $ B $ C$D',
    '`$x$`',
    '    $$x$$',
    '```\n$$\nx\n$$\n```',
    '\\$x$ and $x',
    '\\[ \\] task',
    '$$$ cheap $$$',
    '$$\nnever closed\n\n$$',
  ])('is not found in %j', (text) => {
    expect(formulas(text)).toEqual([])
  })

  test('is not found in a long text between dollar signs', () => {
    expect(formulas(`$${'x'.repeat(5000)}$`)).toEqual([])
  })

  test('does not end before its closing mark, whatever is inside', () => {
    expect(formulas('$$\n# a\n- b\n$$')).toEqual(['[[# a\n- b]]'])
  })
})

test('an unclosed formula stays a paragraph', () => {
  expect(markdown.render('$$ a *b*\n\nafter').trim()).toBe('<p>$$ a <em>b</em></p>\n<p>after</p>')
})
