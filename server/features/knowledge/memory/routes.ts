import { memory } from '../../../../contract/knowledge/memory.ts'
import { handle } from '../../../endpoint/route.ts'
import { getMemory, removeMemory, updateMemory } from './change.ts'
import { acceptMemory, rejectMemory, reopenMemory } from './decide.ts'
import { list } from './list.ts'
import { mergeMemory } from './merge.ts'
import { saveMemory } from './save.ts'
import { exportMemory, importMemory } from './transfer.ts'
import { listVersions, restoreVersion } from './versions.ts'

export const memoryRoutes = [
  handle(memory.list, list),
  handle(memory.create, saveMemory),
  handle(memory.get, getMemory),
  handle(memory.update, updateMemory),
  handle(memory.remove, removeMemory),
  handle(memory.accept, acceptMemory),
  handle(memory.reject, rejectMemory),
  handle(memory.reopen, reopenMemory),
  handle(memory.merge, mergeMemory),
  handle(memory.versions, listVersions),
  handle(memory.restore, restoreVersion),
  handle(memory.export, exportMemory),
  handle(memory.import, importMemory),
]
