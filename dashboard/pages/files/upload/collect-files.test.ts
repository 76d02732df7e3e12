import { expect, test, vi } from 'vitest'
import { collectSelected } from './collect-files.ts'
import { existingFolder } from './destinations.ts'

vi.mock('virtual:routes', () => ({ default: {} }))

const chosen = (path: string) => {
  const file = new File(['x'], path.split('/').at(-1)!)
  Object.defineProperty(file, 'webkitRelativePath', { value: path })
  return file
}

test('files of a chosen folder share the folders they were in, made once each', () => {
  const wanted = collectSelected(
    [chosen('trip/a.txt'), chosen('trip/day 1/b.txt'), chosen('trip/day 1/c.txt')],
    existingFolder(null, 'Files'),
  )
  expect(wanted.map(({ destination }) => destination.name)).toEqual(['trip', 'day 1', 'day 1'])
  expect(wanted[1]!.destination).toBe(wanted[2]!.destination)
})

test('files chosen one by one go where one is', () => {
  const here = existingFolder('f', 'Finance')
  expect(collectSelected([chosen('')], here)[0]!.destination).toBe(here)
})
