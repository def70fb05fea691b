/** Which of the shell's own dialogs are open. */
export const overlays = $state({ palette: false, shortcuts: false })
