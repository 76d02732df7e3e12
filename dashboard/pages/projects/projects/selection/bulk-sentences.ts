import type { RequestOf } from '../../../../../contract/endpoint.ts'
import type { Contract } from '../../../../../contract/index.ts'
import { LOCALE, t } from '../../../../../contract/text.ts'

export type BulkAction = RequestOf<Contract['projectBulk']['apply']>['action']

const ONE: Record<BulkAction, string> = {
  activate: t`Reactivated 1 project`,
  complete: t`Completed 1 project`,
  archive: t`Archived 1 project`,
  delete: t`Deleted 1 project`,
  undelete: t`Restored 1 project`,
  favourite: t`Added 1 project to favorites`,
  unfavourite: t`Removed 1 project from favorites`,
}

const MANY: Record<BulkAction, (count: string) => string> = {
  activate: (count) => t`Reactivated ${count} projects`,
  complete: (count) => t`Completed ${count} projects`,
  archive: (count) => t`Archived ${count} projects`,
  delete: (count) => t`Deleted ${count} projects`,
  undelete: (count) => t`Restored ${count} projects`,
  favourite: (count) => t`Added ${count} projects to favorites`,
  unfavourite: (count) => t`Removed ${count} projects from favorites`,
}

const SOME: Record<BulkAction, (done: string, count: string) => string> = {
  activate: (done, count) => t`Reactivated ${done} of ${count} projects.`,
  complete: (done, count) => t`Completed ${done} of ${count} projects.`,
  archive: (done, count) => t`Archived ${done} of ${count} projects.`,
  delete: (done, count) => t`Deleted ${done} of ${count} projects.`,
  undelete: (done, count) => t`Restored ${done} of ${count} projects.`,
  favourite: (done, count) => t`Added ${done} of ${count} projects to favorites.`,
  unfavourite: (done, count) => t`Removed ${done} of ${count} projects from favorites.`,
}

const NONE: Record<BulkAction, string> = {
  activate: t`The project wasn’t reactivated.`,
  complete: t`The project wasn’t completed.`,
  archive: t`The project wasn’t archived.`,
  delete: t`The project wasn’t deleted.`,
  undelete: t`The project wasn’t restored.`,
  favourite: t`The project wasn’t added to favorites.`,
  unfavourite: t`The project wasn’t removed from favorites.`,
}

export const sentenceWhenAll = (action: BulkAction, count: number): string =>
  count === 1 ? ONE[action] : MANY[action](count.toLocaleString(LOCALE))

/** Some or all projects failed. */
export const sentenceWhenSome = (action: BulkAction, done: number, count: number): string =>
  count === 1 ? NONE[action] : SOME[action](done.toLocaleString(LOCALE), count.toLocaleString(LOCALE))
