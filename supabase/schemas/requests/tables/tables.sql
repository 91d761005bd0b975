-- Tables. Written by npm run schema from the migrations; comments are kept.


