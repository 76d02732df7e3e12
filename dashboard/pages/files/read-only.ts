import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { projectQuery } from '../../api/projects.ts'

/** True for files of a project that the user can view but not edit. */
export const ReadOnlyContext = createContext(false)
export const useReadOnly = () => useContext(ReadOnlyContext)

/** Returns false until the project is loaded; the server enforces permissions in any case. */
export function useIsProjectReadOnly(projectId: string | null | undefined): boolean {
  const project = useQuery({ ...projectQuery(projectId ?? ''), enabled: Boolean(projectId) })
  return Boolean(projectId) && project.data?.canEdit === false
}
