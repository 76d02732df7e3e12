import { describe, expect, test } from 'vitest'
import { type Part, parseMarkdown } from './parse.ts'
import { continueList, toggleTask } from './tasks.ts'

const TEXT = `# Plan

- [ ] first
  1. [x] nested
> - [ ] quoted
> - plain

\`\`\`
- [ ] code
\`\`\`
* [X] last`

const tasksIn = (parts: Part[]): [number, boolean][] =>
  parts.flatMap((part) => {
    if (part.kind === 'quote') return tasksIn(part.inside)
    if (part.kind !== 'list') return []
    return part.items.flatMap(({ done, line, inside }): [number, boolean][] => [
      ...(done === null ? [] : [[line, done] as [number, boolean]]),
      ...tasksIn(inside),
    ])
  })

describe('Markdown lists', () => {
  test('tick and untick a task on its own line, including in nested lists and quotes', () => {
    const tasks = tasksIn(parseMarkdown(TEXT))
    expect(tasks).toEqual([
      [2, false],
      [3, true],
      [4, false],
      [10, true],
    ])
    for (const [line, done] of tasks) {
      const toggled = toggleTask(TEXT, line)
      expect(tasksIn(parseMarkdown(toggled))).toEqual(
        tasks.map((task) => (task[0] === line ? [line, !done] : task)),
      )
      expect(tasksIn(parseMarkdown(toggleTask(toggled, line)))).toEqual(tasks)
    }
    expect([toggleTask(TEXT, 0), toggleTask(TEXT, 5), toggleTask(TEXT, 99)]).toEqual([TEXT, TEXT, TEXT])
    expect(toggleTask('a\r\n- [ ] b', 1)).toBe('a\n- [x] b')
  })

  test('continue with the next item on Enter, and end after an empty item', () => {
    const pressEnter = (text: string) => {
      const edit = continueList(text, text.length)
      return edit && text.slice(0, edit.from) + edit.insert
    }
    expect(pressEnter('- [x] one')).toBe('- [x] one\n- [ ] ')
    expect(pressEnter('a\n  9. nine')).toBe('a\n  9. nine\n  10. ')
    expect(pressEnter('- one\n- ')).toBe('- one\n')
    expect(pressEnter('no list')).toBeUndefined()
    expect(continueList('- one\n- two', 3)).toBeUndefined()
  })
})
