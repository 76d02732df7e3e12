import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { t } from '../../../../contract/text.ts'
import { projectQuery } from '../../../api/projects.ts'
import { useCanEditFiles } from '../../../api/workspaces.ts'

/** True for files the user can view but not edit. */
export const ReadOnlyContext = createContext(false)
export const useReadOnly = () => useContext(ReadOnlyContext)

/** Null means folders outside projects. Returns false until known; the server enforces permissions anyway. */
export function useIsFolderReadOnly(projectId: string | null | undefined): boolean {
  const project = useQuery({ ...projectQuery(projectId ?? ''), enabled: Boolean(projectId) })
  const canEditFiles = useCanEditFiles()
  if (projectId === null) return !canEditFiles
  return projectId !== undefined && project.data?.canEdit === false
}

/** Copies and shortcuts need a destination folder: this one, or one outside projects. */
export function useCanCopy(): boolean {
  const isHereReadOnly = useReadOnly()
  return useCanEditFiles() || !isHereReadOnly
}

export const readOnlyReason = (projectId: string | null | undefined) =>
  projectId
    ? t`You have read-only access to this project.`
    : t`View only. Only workspace editors can change files outside projects.`
