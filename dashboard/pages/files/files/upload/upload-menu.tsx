import { ChevronDown, FileUp, FolderUp } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { Button } from '../../../../components/button.tsx'
import { FileInput } from '../../../../components/forms/file-input.tsx'
import { Menu, MenuItem } from '../../../../components/menu.tsx'
import type { Destination } from './collect-files.ts'
import { uploadSelected } from './start-upload.ts'

/** A shortcut opens the same file picker through the `files` ref. */
export function UploadMenu({
  destination,
  files,
}: {
  destination: Destination
  files: RefObject<HTMLInputElement | null>
}) {
  const folder = useRef<HTMLInputElement>(null)
  const upload = (chosen: FileList) => uploadSelected(chosen, destination)
  return (
    <>
      <FileInput ref={files} multiple label="Files to upload" onFiles={upload} />
      <FileInput ref={folder} multiple directory label="Folder to upload" onFiles={upload} />
      <span className="inline-flex">
        <Button look="primary" className="rounded-r-none" onClick={() => files.current?.click()}>
          <FileUp aria-hidden className="icon" />
          Upload
        </Button>
        <Menu
          trigger={
            <Button look="primary" size="icon" className="ml-px rounded-l-none" aria-label="Upload options">
              <ChevronDown aria-hidden className="icon" />
            </Button>
          }
        >
          <MenuItem onSelect={() => files.current?.click()}>
            <FileUp aria-hidden className="icon text-neutral-11" />
            Upload files
          </MenuItem>
          <MenuItem onSelect={() => folder.current?.click()}>
            <FolderUp aria-hidden className="icon text-neutral-11" />
            Upload folder
          </MenuItem>
        </Menu>
      </span>
    </>
  )
}
