/** What the voice of a phone call can use: tools that read one project. */
export const CALL_TOOLS: readonly string[] = ['get_project', 'read_canvas', 'list_files', 'read_file']
