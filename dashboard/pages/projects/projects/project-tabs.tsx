import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { TAB } from '../../../components/layout/tabs.tsx'

interface ProjectTabsProps {
  project: { id: string; folderId: string | null }
  current: 'canvas' | 'tables' | 'files'
}

/** The project's canvas, tables and folder, and the chats and runs in it. */
export function ProjectTabs({ project: { id, folderId }, current }: ProjectTabsProps) {
  const currentIf = (tab: ProjectTabsProps['current']) => (tab === current ? 'page' : undefined)
  return (
    <>
      <Link
        to="/projects/$ref"
        params={{ ref: id }}
        activeOptions={{ exact: true }}
        aria-current={currentIf('canvas')}
        className={TAB}
      >{t`Canvas`}</Link>
      <Link
        to="/projects/$ref/tables"
        params={{ ref: id }}
        aria-current={currentIf('tables')}
        className={TAB}
      >{t`Tables`}</Link>
      {folderId && (
        <Link
          to="/files/$id"
          params={{ id: folderId }}
          aria-current={currentIf('files')}
          className={TAB}
        >{t`Files`}</Link>
      )}
      <Link to="/chat" search={{ in: id, project: id }} className={TAB}>{t`Chat`}</Link>
      <Link to="/runs" search={{ project: id }} className={TAB}>{t`Runs`}</Link>
    </>
  )
}
