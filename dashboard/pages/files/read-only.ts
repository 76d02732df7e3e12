import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { projectQuery } from '../../api/projects.ts'

/** Whether what is shown can only be looked at: it is in a project that the reader may see but not change. */
export const ReadOnlyContext = createContext(false)
export const useReadOnly = () => useContext(ReadOnlyContext)

/** Of the project a folder is in, if any. Until it is known, everything is offered; the server refuses what it must. */
export function useIsProjectReadOnly(projectId: string | null | undefined): boolean {
  const project = useQuery({ ...projectQuery(projectId ?? ''), enabled: Boolean(projectId) })
  return Boolean(projectId) && project.data?.canEdit === false
}
