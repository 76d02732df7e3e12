import { canvas } from '../../../../contract/canvas/canvas.ts'
import { projectPreviews } from '../../../../contract/projects/previews.ts'
import { projects } from '../../../../contract/projects/projects.ts'
import { handle } from '../../../endpoint/route.ts'
import { create, remove, update } from './blocks.ts'
import { connect, disconnect } from './edges.ts'
import { readHistory } from './history/history.ts'
import { pruneHistory } from './history/prune.ts'
import { readAt, restoreSnapshot, rewind } from './history/revert.ts'
import * as snapshots from './history/snapshots.ts'
import { list } from './list.ts'
import { move } from './move.ts'
import { readNavigator } from './navigator.ts'
import { readPreviews } from './previews/previews.ts'
import { readFile } from './write/block-file.ts'
import { change } from './write/change.ts'

export const canvasRoutes = [
  handle(canvas.list, list),
  handle(canvas.create, create),
  handle(canvas.move, move),
  handle(canvas.update, update),
  handle(canvas.remove, remove),
  handle(canvas.file, readFile),
  handle(canvas.connect, connect),
  handle(canvas.disconnect, disconnect),
  handle(canvas.change, change),
  handle(canvas.history, readHistory),
  handle(canvas.at, readAt),
  handle(canvas.rewind, rewind),
  handle(canvas.prune, pruneHistory),
  handle(canvas.snapshots, snapshots.list),
  handle(canvas.snapshot, snapshots.take),
  handle(canvas.restoreSnapshot, restoreSnapshot),
  handle(projects.navigator, readNavigator),
  handle(projectPreviews.list, readPreviews),
]
