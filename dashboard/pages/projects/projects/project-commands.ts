import type { Project, ProjectStatus } from '../../../api/projects.ts'

/** The actions that a row, its menu and the keyboard shortcuts call. */
export interface ProjectCommands {
  open: (project: Project) => void
  showSettings: (project: Project) => void
  share: (project: Project) => void
  startRename: (project: Project) => void
  rename: (project: Project, name: string | undefined) => void
  duplicate: (project: Project) => void
  /** Opens the dialog for a new project with a copy of its canvas. */
  startFrom: (project: Project) => void
  saveAsTemplate: (project: Project) => void
  setStatus: (project: Project, status: ProjectStatus) => void
  remove: (project: Project) => void
  filterByTag: (tag: string) => void
}
