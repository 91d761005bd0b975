/** In place of nodemailer in the Worker, which never loads it: see `alias` in wrangler.jsonc. */
export default undefined;
