import { describe, expect, test } from 'vitest'
import { FilterError, type FilteredEvent, matchesFilter, parseFilter } from './filter.ts'

const EVENT: FilteredEvent = {
  eventKey: 'slack.message',
  change: 'created',
  actor: { id: '42', name: 'Ada "A" Lovelace', isBot: false },
  text: 'Please HELP with invoice 7',
  thread: 'C1',
  resource: null,
}
const matches = (source: string) => matchesFilter(parseFilter(source), 'slack', EVENT)

describe('a filter', () => {
  test.each([
    ['event == "slack.message"', true],
    ['event != "slack.message"', false],
    ['text contains "help"', true],
    ["text starts with 'please help'", true],
    ['text starts with "help"', false],
    ['actor.name contains "\\"a\\""', true],
    ['actor.id == 42', true],
    ['actor.id in ["1", 42]', true],
    ['text', true],
    ['not actor.bot', true],
    ['actor.bot == false', true],
    ['resource.type == null and not resource.id', true],
    ['resource.url contains "x"', false],
    ['thread == "X" or text contains "help" and provider == "slack"', true],
    ['(thread == "X" or text contains "help") and provider == "github"', false],
    ['not (thread == "C1" and change == "created")', false],
  ])('%s evaluates to %s', (source, expected) => expect(matches(source)).toBe(expected))

  test.each([
    ['', 'Expected a field', 1],
    ['txet == "a"', 'Expected a field', 1],
    ['text == ', 'Expected a text in quotes, a number, true, false or null, found the end', 9],
    ['text == help', 'found “help”', 9],
    ['text contains "a" und text', 'Expected “and”, “or” or the end, found “und”', 19],
    ['text == "a', 'no closing quote', 9],
    ['text starts "a"', 'Expected “with”', 13],
    ['text in ["a"', 'Expected “]”, found the end', 13],
    ['(text == "a"', 'Expected “)”', 13],
    ['text =~ "a"', 'is not allowed', 6],
    ['__proto__ == 1', 'is not allowed', 1],
    ['constructor == 1', 'Expected a field', 1],
    [`${'('.repeat(30)}text${')'.repeat(30)}`, 'More than 20 levels', 22],
    [`${'not '.repeat(500)}text`, 'More than 20 levels', 85],
    [Array.from({ length: 70 }, () => 'text').join(' or '), 'More than 60 conditions', 481],
  ])('%s names the mistake and its position', (source, message, at) => {
    const parse = () => parseFilter(source)
    expect(parse).toThrow(FilterError)
    expect(parse).toThrow(message)
    expect(parse).toThrow(`at position ${at}`)
  })
})
