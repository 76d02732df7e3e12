import { files, objects } from '../../../contract/files.ts'
import { handle, type Route } from '../../route.ts'
import { archiveFolder } from './archive.ts'
import { copyFile } from './copy.ts'
import { create } from './create.ts'
import { get, list } from './files.ts'
import { previewFile } from './preview.ts'
import { remove } from './remove.ts'
import { restore } from './restore.ts'
import { readObject, writeObject } from './signed-objects.ts'
import { update } from './update.ts'

export const fileRoutes: Route[] = [
  handle(files.list, list),
  handle(files.create, create),
  handle(files.get, get),
  handle(files.update, update),
  handle(files.remove, remove),
  handle(files.restore, restore),
  handle(files.copy, copyFile),
  handle(files.preview, previewFile),
  handle(files.archive, archiveFolder),
  handle(objects.read, readObject),
  handle(objects.write, writeObject),
]
