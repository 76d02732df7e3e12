import { test } from 'vitest'
import { fence } from './fence.ts'
import { entangledSubfolders, tinyFiles } from './shape.ts'

test('no two subfolders in a feature, page or server part import each other', () => {
  fence(
    'a subfolder is a layer or a noun of its own: move what both need to the folder that owns it, or merge the two',
    entangledSubfolders(),
  )
})

test('no file under 25 lines has one importer in the same folder', () => {
  fence('it belongs to its importer: a file is one idea, not one function', tinyFiles())
})
