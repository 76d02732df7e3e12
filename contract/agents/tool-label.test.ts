import { expect, test } from 'vitest'
import { toolLabel } from './tool-label.ts'

test.each([
  ['read_canvas', {}, 'Read canvas'],
  ['mcp_linear_find_issues', {}, 'Find issues (linear)'],
  ['google-drive_find_files', { query: 'plan', account: 'Work' }, 'Find files (google-drive, Work)'],
  ['google-drive_find_files', undefined, 'Google drive find files'],
])('toolLabel names %s with the input %j', (tool, input, label) => {
  expect(toolLabel(tool, input)).toBe(label)
})
