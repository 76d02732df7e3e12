import { FolderArchive } from 'lucide-react'
import { useSession } from '../../../api/session.ts'
import { Empty } from '../../../components/empty.tsx'
import { Page } from '../../../frame/page.tsx'
import { LinkSetting } from './link-setting.tsx'
import { PublicLinkList } from './public-link-list.tsx'
import { RetentionForm } from './retention-form.tsx'

/** How long deleted files and versions are stored, and all public links. */
export function FilesSettingsPage() {
  const { role } = useSession()
  return (
    <Page title="Files and public links">
      {role === 'member' ? (
        <Empty icon={FolderArchive} title="Only owners and admins can view these settings">
          They decide how long deleted files and versions are stored, and see all public links.
        </Empty>
      ) : (
        <>
          <RetentionForm />
          <LinkSetting />
          <PublicLinkList />
        </>
      )}
    </Page>
  )
}
