// Sets the theme before the first paint, so that the page never flashes in the other one. See src/theme.ts.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // The browser blocks site data, and so has no theme.
}
