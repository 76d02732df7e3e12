import { expect, test, vi } from 'vitest'
import { collectSelected, existingFolder } from './collect-files.ts'

vi.mock('virtual:routes', () => ({ default: {} }))

const selectedFile = (path: string) => {
  const file = new File(['x'], path.split('/').at(-1)!)
  Object.defineProperty(file, 'webkitRelativePath', { value: path })
  return file
}

test('files in a selected folder share one destination per folder', () => {
  const items = collectSelected(
    [selectedFile('trip/a.txt'), selectedFile('trip/day 1/b.txt'), selectedFile('trip/day 1/c.txt')],
    existingFolder(null, 'Files'),
  )
  expect(items.map(({ destination }) => destination.name)).toEqual(['trip', 'day 1', 'day 1'])
  expect(items[1]!.destination).toBe(items[2]!.destination)
})

test('files selected individually go to the current folder', () => {
  const current = existingFolder('f', 'Finance')
  expect(collectSelected([selectedFile('')], current)[0]!.destination).toBe(current)
})
