import { fileTexts } from '../../../../contract/files/file-texts.ts'
import { fileVersions } from '../../../../contract/files/file-versions.ts'
import { files, objects } from '../../../../contract/files/files.ts'
import { fileRetention, fileTrash } from '../../../../contract/files/retention.ts'
import { handle, type Route } from '../../../endpoint/route.ts'
import { archiveFolder } from './download/archive.ts'
import { get } from './get.ts'
import { list } from './listing/list.ts'
import { previewFile } from './previews/preview.ts'
import * as retention from './trash/retention.ts'
import { readText } from './texts/read-text.ts'
import { prepareWriteText, writeText } from './texts/write-text.ts'
import * as trash from './trash/purge.ts'
import { copyFile } from './tree/copy.ts'
import { update } from './tree/update.ts'
import { create, prepareCreate } from './create.ts'
import { readObject, writeObject } from './upload/signed-objects.ts'
import * as versions from './versions/versions.ts'
import { remove, restore } from './trash/restore.ts'

export const fileRoutes: Route[] = [
  handle(files.list, list),
  handle(files.create, create, prepareCreate),
  handle(files.get, get),
  handle(files.update, update),
  handle(files.remove, remove),
  handle(files.restore, restore),
  handle(files.copy, copyFile),
  handle(files.preview, previewFile),
  handle(files.archive, archiveFolder),
  handle(fileTexts.read, readText),
  handle(fileTexts.write, writeText, prepareWriteText),
  handle(fileVersions.list, versions.list),
  handle(fileVersions.create, versions.create, versions.prepareCreate),
  handle(fileVersions.content, versions.content),
  handle(fileVersions.restore, versions.restore),
  handle(fileVersions.remove, versions.remove),
  handle(fileVersions.find, versions.find),
  handle(fileTrash.summary, trash.summary),
  handle(fileTrash.empty, trash.empty),
  handle(fileRetention.get, retention.get),
  handle(fileRetention.effect, retention.effect),
  handle(fileRetention.update, retention.update),
  handle(objects.read, readObject),
  handle(objects.write, writeObject),
]
