import { expect, test } from 'vitest'
import { validationMessage } from './validation-message.ts'

const check = (type: string, problem: string, rest = {}) =>
  validationMessage({ type, validity: { [problem]: true }, validationMessage: 'Custom', ...rest })

test.each([
  ['text', 'valueMissing', {}, 'Fill in this field.'],
  ['text', 'valueMissing', { dataset: { missing: 'Enter a name.' } }, 'Enter a name.'],
  ['select-one', 'valueMissing', {}, 'Choose an option.'],
  ['email', 'typeMismatch', {}, 'Enter an email address, such as ada@example.com.'],
  ['url', 'typeMismatch', {}, 'Enter a full URL that starts with https:// or http://.'],
  ['text', 'tooShort', { minLength: 12 }, 'Enter at least 12 characters.'],
  ['number', 'rangeUnderflow', { min: '1' }, 'Enter 1 or more.'],
  ['number', 'rangeOverflow', { max: '20' }, 'Enter 20 or less.'],
  ['number', 'stepMismatch', {}, 'Enter a whole number.'],
  ['number', 'badInput', {}, 'Enter a number.'],
  ['text', 'patternMismatch', { title: 'Six digits' }, 'Six digits'],
  ['text', 'customError', {}, 'Custom'],
])('validationMessage explains %s with %s', (type, problem, rest, message) => {
  expect(check(type, problem, rest)).toBe(message)
})
