import { expect, test, vi } from 'vitest'
import { existing } from './destinations.ts'
import { gatherChosen } from './gather.ts'

vi.mock('virtual:routes', () => ({ default: {} }))

const chosen = (path: string) => {
  const file = new File(['x'], path.split('/').at(-1)!)
  Object.defineProperty(file, 'webkitRelativePath', { value: path })
  return file
}

test('files of a chosen folder share the folders they were in, made once each', () => {
  const wanted = gatherChosen(
    [chosen('trip/a.txt'), chosen('trip/day 1/b.txt'), chosen('trip/day 1/c.txt')],
    existing(null, 'Files'),
  )
  expect(wanted.map(({ place }) => place.name)).toEqual(['trip', 'day 1', 'day 1'])
  expect(wanted[1]!.place).toBe(wanted[2]!.place)
})

test('files chosen one by one go where one is', () => {
  const here = existing('f', 'Finance')
  expect(gatherChosen([chosen('')], here)[0]!.place).toBe(here)
})
